// Linus is simple: an example player, Java's standard library only.
// Usage: java Linus.java HOST PORT NAME
//
// To make a player of your own, change the idea, at the end: all it chooses among is legal.
// Messages and rules are those of docs/protocol.md, rulebook `revised`.
// Exit codes: 0 the score has come; 1 ejected or disconnected, why is said on standard error;
// 2 not called as above.

import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.*;
import javax.xml.parsers.*;
import org.w3c.dom.*;
import org.xml.sax.SAXException;

public class Linus {
    static final List<String> CHEAP = List.of("Sackson", "Worldwide"), DEAR = List.of("Continental", "Tower");
    static final List<String> HOTELS =
        List.of("Tower", "Continental", "Imperial", "Festival", "American", "Worldwide", "Sackson");
    static final List<Integer> STEPS = List.of(2, 3, 4, 5, 6, 11, 21, 31, 41); // sizes where prices rise
    static final int CERTIFICATES = 25, SAFE = 12, AT_MOST = 2;
    static final String LOOSE = ""; // what the board says of an unincorporated tile

    record Tile(int column, char row) {}
    record Player(int cash, Map<String, Integer> shares, List<Tile> hand) {}
    /** A legal placement; kind is alone, found, grow or merge, hotel the one founded, grown or surviving. */
    record Move(String kind, Tile tile, String hotel, Map<Tile, String> board) {}

    // The conversation ---------------------------------------------------------------------------
    /** Play one match and return the score. An IOException says why there is none. */
    static String play(Socket socket, DocumentBuilder parser, String signup) throws IOException, SAXException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        Map<Tile, String> board = Map.of(); // each tile's hotel, or LOOSE
        String name = ""; // told by the answer to this:
        send(socket, signup);
        while (true) {
            Element said = parser.parse(new ByteArrayInputStream(readElement(in))).getDocumentElement();
            switch (said.getTagName()) {
                case "signup" -> {
                    if (!List.of("", "revised").contains(said.getAttribute("rulebook")))
                        throw new IOException("Linus knows only the rulebook revised");
                    name = said.getAttribute("name"); // with a suffix if the one asked for was taken
                } // no answer: nothing is due until the table is full
                case "state", "tile" -> send(socket, "<void/>");
                case "turn" -> {
                    Map<String, Player> players = readPlayers(said);
                    Map<Tile, String> before = readBoard(said);
                    Move move = chooseMove(players.get(name).hand().stream()
                        .flatMap(tile -> placements(before, tile).stream()).toList());
                    board = move.board(); // kept: after a merger only the players are told
                    String founded = move.kind().equals("found") ? move.hotel() : null;
                    send(socket, move.kind().equals("merge") // then the order is asked for later
                        ? placementXml(move)
                        : "<pbuy>" + placementXml(move) + orderXml(board, players, name, founded) + "</pbuy>");
                }
                case "keep" -> // one answer for each hotel: Linus returns all
                    send(socket, "<keep>" + "<false/>".repeat(children(said, "hotel").size()) + "</keep>");
                case "players" -> send(socket, orderXml(board, readPlayers(said), name, null));
                case "score" -> {
                    try { send(socket, "<void/>"); } catch (IOException gone) { /* the score stands */ }
                    for (Element result : children(said, "result"))
                        if (result.getAttribute("name").equals(name)) return result.getAttribute("score");
                }
                case "ejected" -> throw new IOException(
                    "ejected (" + said.getAttribute("reason") + "): " + said.getTextContent());
                default -> throw new IOException("the administrator said " + said.getTagName());
            }
        }
    }

    // The socket ---------------------------------------------------------------------------------
    // Read one element, however TCP cut it: only the tags say where it ends, where all opened are closed.
    static byte[] readElement(InputStream in) throws IOException {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        int depth = 0, quote = 0, before = 0; // the quote that we are in, the byte before, 0 if none
        boolean inTag = false, isEnd = false;
        while (true) {
            int next = in.read(); // waits until there is one
            if (next < 0) throw new IOException("the connection was closed before the score");
            if (!inTag && depth == 0 && next != '<') continue; // white space between two elements
            element.write(next);
            if (!inTag) {
                inTag = next == '<';
            } else if (quote != 0) {
                if (next == quote) quote = 0; // up to here anything may stand, even >
            } else if (next == '"' || next == '\'') {
                quote = next;
            } else if (next == '/' && before == '<') {
                isEnd = true;
            } else if (next == '>') {
                depth += isEnd ? -1 : before == '/' ? 0 : 1;
                inTag = isEnd = false;
                if (depth == 0) return element.toByteArray();
            }
            before = next;
        }
    }

    static void send(Socket socket, String element) throws IOException {
        socket.getOutputStream().write(element.getBytes(StandardCharsets.UTF_8));
    }
    static String escaped(String text) {
        return text.codePoints().mapToObj(letter -> "&#" + letter + ";").collect(Collectors.joining());
    }

    // What is said -------------------------------------------------------------------------------
    static List<Element> children(Element parent, String tag) {
        NodeList nodes = parent.getChildNodes(); // white space between elements is a node as well
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item)
            .filter(node -> node.getNodeName().equals(tag)).map(node -> (Element) node).toList();
    }

    static List<Tile> readTiles(Element parent) {
        return children(parent, "tile").stream().map(tile -> new Tile(
            Integer.parseInt(tile.getAttribute("column")), tile.getAttribute("row").charAt(0))).toList();
    }

    static Map<Tile, String> readBoard(Element turn) {
        Element board = children(turn, "board").get(0);
        Map<Tile, String> cells = with(Map.of(), readTiles(board), LOOSE);
        for (Element hotel : children(board, "hotel"))
            cells = with(cells, readTiles(hotel), hotel.getAttribute("name"));
        return cells;
    }

    static Map<String, Player> readPlayers(Element position) {
        return children(position, "player").stream().collect(Collectors.toMap(
            player -> player.getAttribute("name"),
            player -> new Player(Integer.parseInt(player.getAttribute("cash")),
                children(player, "share").stream().collect(Collectors.toMap(
                    share -> share.getAttribute("name"),
                    share -> Integer.parseInt(share.getAttribute("count")))), readTiles(player))));
    }

    /** Write a placement, which names a hotel that is founded or survives, not one that grows. */
    static String placementXml(Move move) {
        boolean isNamed = move.kind().equals("found") || move.kind().equals("merge");
        return "<placement><tile column=\"" + move.tile().column() + "\" row=\"" + move.tile().row() + "\"/>"
            + (isNamed ? "<hotel label=\"" + move.hotel() + "\"/>" : "") + "</placement>";
    }

    static String orderXml(Map<Tile, String> board, Map<String, Player> players, String name, String founded) {
        Map<String, Integer> most = offers(board, players, name, founded);
        String hotel = chooseHotel(board, most, players.get(name));
        return hotel == null ? "<order/>"
            : "<order>" + ("<hotel label=\"" + hotel + "\"/>").repeat(most.get(hotel)) + "</order>";
    }

    // The rules ----------------------------------------------------------------------------------
    static List<Tile> beside(Tile tile) {
        int c = tile.column(), r = tile.row();
        return Stream.of(new Tile(c, (char) (r - 1)), new Tile(c, (char) (r + 1)),
                new Tile(c - 1, (char) r), new Tile(c + 1, (char) r))
            .filter(t -> t.column() >= 1 && t.column() <= 12 && t.row() >= 'A' && t.row() <= 'I').toList();
    }

    static int size(Map<Tile, String> board, String hotel) {
        return Collections.frequency(board.values(), hotel);
    }

    /** The legal placements of a tile: one for each hotel that can be named, or none. */
    static List<Move> placements(Map<Tile, String> board, Tile tile) {
        Set<String> touched = beside(tile).stream().filter(board::containsKey).map(board::get)
            .collect(Collectors.toSet());
        List<String> hotels = HOTELS.stream().filter(touched::contains).toList();
        List<String> unfounded = HOTELS.stream().filter(hotel -> size(board, hotel) == 0).toList();
        if (hotels.isEmpty()) {
            if (touched.isEmpty() || unfounded.isEmpty())
                return List.of(new Move("alone", tile, LOOSE, with(board, Set.of(tile), LOOSE)));
            Set<Tile> chain = new HashSet<>();
            connect(board, tile, chain);
            return unfounded.stream().map(h -> new Move("found", tile, h, with(board, chain, h))).toList();
        }
        int largest = hotels.stream().mapToInt(hotel -> size(board, hotel)).max().getAsInt();
        if (touched.contains(LOOSE) || (hotels.size() > 1 && largest >= SAFE)) return List.of();
        String kind = hotels.size() > 1 ? "merge" : "grow";
        Set<Tile> cells = new HashSet<>(Set.of(tile));
        for (Tile cell : board.keySet()) if (hotels.contains(board.get(cell))) cells.add(cell);
        return hotels.stream().filter(hotel -> size(board, hotel) == largest)
            .map(hotel -> new Move(kind, tile, hotel, with(board, cells, hotel))).toList();
    }

    /** Put into the chain the tile and all unincorporated tiles that hang together with it. */
    static void connect(Map<Tile, String> board, Tile tile, Set<Tile> chain) {
        if (!chain.add(tile)) return;
        for (Tile cell : beside(tile)) if (LOOSE.equals(board.get(cell))) connect(board, cell, chain);
    }

    /** The board on which these cells have tiles of this hotel. */
    static Map<Tile, String> with(Map<Tile, String> board, Collection<Tile> cells, String hotel) {
        Map<Tile, String> next = new HashMap<>(board);
        for (Tile cell : cells) next.put(cell, hotel);
        return next;
    }

    /** Dollars for a certificate; 0 if there is no price: a cheap hotel that is not on the board. */
    static int price(Map<Tile, String> board, String hotel) {
        int tiles = size(board, hotel);
        if (tiles == 0 && CHEAP.contains(hotel)) return 0;
        int base = CHEAP.contains(hotel) ? 100 : DEAR.contains(hotel) ? 300 : 200;
        return base + 100 * (int) STEPS.stream().filter(step -> tiles >= step).count();
    }

    /** How many certificates can be bought, at least one, of which hotels. */
    static Map<String, Integer> offers(
            Map<Tile, String> board, Map<String, Player> players, String name, String founded) {
        Map<String, Integer> most = new LinkedHashMap<>();
        for (String hotel : HOTELS) {
            int left = CERTIFICATES - (hotel.equals(founded) ? 1 : 0); // the founder's comes first
            for (Player player : players.values()) left -= player.shares().getOrDefault(hotel, 0);
            int price = price(board, hotel), payable = price > 0 ? players.get(name).cash() / price : 0;
            int count = Math.min(AT_MOST, Math.min(left, payable));
            if (count > 0) most.put(hotel, count);
        }
        return most;
    }

    // The idea -----------------------------------------------------------------------------------
    static final int ENOUGH = 8; // certificates of one hotel

    /** The first tile in hand that can be placed; the dearest hotel, where one is to be named. */
    static Move chooseMove(List<Move> moves) {
        return moves.get(0); // HOTELS begins with the dear ones
    }

    /** The most expensive hotel on the board of which Linus has not enough; null if there is none. */
    static String chooseHotel(Map<Tile, String> board, Map<String, Integer> most, Player me) {
        return most.keySet().stream().filter(hotel -> size(board, hotel) > 0)
            .filter(hotel -> me.shares().getOrDefault(hotel, 0) < ENOUGH)
            .max(Comparator.comparing(hotel -> price(board, hotel))).orElse(null);
    }

    public static void main(String[] arguments) throws ParserConfigurationException {
        if (arguments.length != 3 || !arguments[1].matches("\\d{1,5}")) {
            System.err.println("Usage: java Linus.java HOST PORT NAME");
            System.exit(2);
        }
        // Made before connecting, from when on the clock runs: what Java does first, it does slowly.
        String signup = "<signup name=\"" + escaped(arguments[2]) + "\"/>";
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        try (Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]))) {
            System.out.println(play(socket, parser, signup));
        } catch (IOException | SAXException reason) {
            System.err.println("linus: " + reason.getMessage());
            System.exit(1);
        }
    }
}
