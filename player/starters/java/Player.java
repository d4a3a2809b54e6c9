// A starter: it plays legally in every position, and you choose what it aims for.
//
// Usage: java Player.java HOST PORT NAME
//
// It needs only Java's standard library. Python and JavaScript have the same program.
// Copy it and change the three methods under YOUR IDEA, near the end: they choose among legal
// moves only. docs/protocol.md has the messages and the rules, those of rulebook `revised`.
// Where one of them fails, that is printed, and the first legal choice is taken instead.
// Exit codes: 0 the match ended and the score is printed; 1 there is no score, and standard error
// has the reason; 2 wrong usage; 3 as 0, but a choice of yours has failed.

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.*;
import java.net.Socket;
import java.util.*;
import java.util.function.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.xml.parsers.*;
import org.w3c.dom.*;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

public class Player {
    static final Map<String, String> TIERS = // the hotels, with their price tiers
        Map.of(
            "American", "medium",
            "Continental", "expensive",
            "Festival", "medium",
            "Imperial", "medium",
            "Sackson", "cheap",
            "Tower", "expensive",
            "Worldwide", "cheap");
    static final List<String> HOTELS = TIERS.keySet().stream().sorted().toList();
    static final List<Integer> SIZES =
        List.of(0, 2, 3, 4, 5, 6, 11, 21, 31, 41); // from each of them on, a certificate costs:
    static final Map<String, List<Integer>> PRICES =
        Map.of(
            "cheap", List.of(0, 200, 300, 400, 500, 600, 700, 800, 900, 1000),
            "medium", List.of(200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100),
            "expensive", List.of(300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200));
    static final int COLUMNS = 12;
    static final String ROWS = "ABCDEFGHI";
    static final int CERTIFICATES = 25, SAFE = 12, AT_MOST = 2; // of a hotel; tiles; bought in a turn
    static final String LOOSE = ""; // stands in a board for an unincorporated tile

    // A board is a Map from each tile on it, such as "3F", to its hotel, or LOOSE.
    // Players are a Map by name, in turn order, to what each has.

    /** What a player has: dollars, certificates of each hotel, tiles in hand. */
    record Holdings(int cash, Map<String, Integer> shares, List<String> tiles) {}

    /** A legal placement: its tile, the hotel founded, grown or surviving, the board after it. */
    record Move(String kind, String tile, String hotel, Map<String, String> board) {
        // kind is alone, found, grow or merge
    }

    /** A legal order: how many certificates of which hotel. */
    record Order(String hotel, int count) {}

    static final Order NOTHING = new Order("", 0);

    /** Why a match ended without a score; the text is printed. */
    @SuppressWarnings("serial")
    static class NoScoreError extends RuntimeException {
        NoScoreError(String why) { super(why); }
    }

    // The conversation ---------------------------------------------------------------------------
    /** Play one match and return the score. */
    static int play(Socket socket, DocumentBuilder parser, String me) {
        send(socket, "<signup name=\"" + escaped(me) + "\"/>");
        Map<String, String> board = Map.of(); // the last position received: the board
        Map<String, Holdings> players = Map.of(); // and the players
        Map<String, String> after = Map.of(); // the board after our own placement,
        // which a merger's messages do not have
        Elements elements = new Elements(socket, parser);
        for (Element message; (message = elements.next()) != null; ) {
            switch (message.getTagName()) {
                case "signup" -> { // no answer: nothing is expected until the table is full
                    if (!List.of("", "revised").contains(message.getAttribute("rulebook")))
                        throw new NoScoreError(
                            "the rulebook is " + message.getAttribute("rulebook") + ", not revised");
                    me = message.getAttribute("name"); // with a suffix if the name was taken
                }
                case "state" -> {
                    board = readBoard(message);
                    players = readPlayers(message);
                    send(socket, "<void/>");
                }
                case "tile" -> send(socket, "<void/>");
                case "turn" -> {
                    board = readBoard(message);
                    players = readPlayers(message);
                    Move move = chosenMove(board, players, me);
                    after = move.board();
                    String answer = placementXml(move);
                    if (!move.kind().equals("merge")) { // in a merger the order is requested later
                        Order order = chosenOrder(after, playersAfter(players, me, move), me);
                        answer = "<pbuy>" + answer + orderXml(order) + "</pbuy>";
                    }
                    send(socket, answer);
                }
                case "keep" -> {
                    List<String> hotels =
                        inside(message, "hotel").stream().map(hotel -> hotel.getAttribute("label")).toList();
                    send(socket, keepXml(chosenKeep(hotels, board, players, me)));
                }
                case "players" -> send(socket, orderXml(chosenOrder(after, readPlayers(message), me)));
                case "score" -> {
                    send(socket, "<void/>");
                    for (Element result : inside(message, "result"))
                        if (result.getAttribute("name").equals(me))
                            return Integer.parseInt(result.getAttribute("score"));
                }
                case "ejected" -> throw new NoScoreError(
                    "ejected (" + message.getAttribute("reason") + "): " + message.getTextContent());
                default -> throw new NoScoreError(
                    "the administrator sent <" + message.getTagName() + ">, which is not in revised");
            }
        }
        throw new NoScoreError("the connection was closed before the score");
    }

    // The socket ---------------------------------------------------------------------------------
    // Text before a tag or a comment, then the whole tag or comment. Quotes may hold anything, even >.
    static final Pattern TAG = Pattern.compile(
        "[^<]*(<!--.*?-->|<\\?.*?\\?>|<(?![!?])(?:[^>\"']|\"[^\"]*\"|'[^']*')*>)", Pattern.DOTALL);

    /**
     * Gives each element as soon as its end tag has arrived, null once the connection is closed.
     *
     * TCP keeps the order of the bytes but not the pieces in which they were sent: a piece can end
     * anywhere and can hold two elements. So an element ends where every open tag is closed.
     */
    static class Elements {
        final Socket socket;
        final DocumentBuilder parser;
        String received = ""; // each character is a byte as received
        int seen = 0, begin = 0, depth = 0;

        Elements(Socket socket, DocumentBuilder parser) {
            this.socket = socket;
            this.parser = parser;
        }

        Element next() {
            while (true) {
                Matcher found = TAG.matcher(received);
                while (found.region(seen, received.length()).lookingAt()) {
                    String tag = found.group(1);
                    seen = found.end();
                    if (tag.startsWith("<!") || tag.startsWith("<?"))
                        continue; // a comment, or an XML declaration
                    if (depth == 0) begin = found.start(1);
                    if (tag.startsWith("</")) depth -= 1;
                    else if (!tag.endsWith("/>")) depth += 1;
                    if (depth == 0) {
                        String element = received.substring(begin, seen);
                        received = received.substring(seen);
                        seen = 0;
                        return parsed(parser, element.getBytes(ISO_8859_1));
                    }
                }
                String piece = receive(socket);
                if (piece.isEmpty()) return null;
                received += piece;
            }
        }
    }

    /** Parse a whole element. */
    static Element parsed(DocumentBuilder parser, byte[] element) {
        try {
            return parser.parse(new ByteArrayInputStream(element)).getDocumentElement();
        } catch (SAXException | IOException reason) {
            throw new NoScoreError("the administrator sent invalid XML: " + reason.getMessage());
        }
    }

    /** Wait for some bytes; there are none once the connection is closed. */
    static String receive(Socket socket) {
        byte[] piece = new byte[65536];
        try {
            int count = socket.getInputStream().read(piece);
            return new String(piece, 0, Math.max(count, 0), ISO_8859_1);
        } catch (IOException reason) {
            throw new NoScoreError("the connection was lost: " + reason.getMessage());
        }
    }

    /** Send an element. */
    static void send(Socket socket, String element) {
        try {
            socket.getOutputStream().write(element.getBytes(UTF_8));
        } catch (IOException gone) {
            // if the connection is gone, reading reports it
        }
    }

    static String escaped(String text) {
        return text.codePoints().mapToObj(letter -> "&#" + letter + ";").collect(Collectors.joining());
    }

    // Messages -----------------------------------------------------------------------------------
    static List<Element> inside(Element parent, String tag) {
        NodeList nodes = parent.getChildNodes(); // white space between elements is a node as well
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item)
            .filter(node -> node.getNodeName().equals(tag)).map(node -> (Element) node).toList();
    }

    /** Read the tiles directly inside an element. */
    static List<String> readTiles(Element parent) {
        return inside(parent, "tile").stream().map(tile ->
            Integer.parseInt(tile.getAttribute("column")) + tile.getAttribute("row")).toList();
    }

    /** Read the board of a position: the unincorporated tiles, then each hotel's. */
    static Map<String, String> readBoard(Element position) {
        Element message = inside(position, "board").get(0);
        Map<String, String> board = laid(Map.of(), readTiles(message), LOOSE);
        for (Element hotel : inside(message, "hotel"))
            board = laid(board, readTiles(hotel), hotel.getAttribute("name"));
        return board;
    }

    /** Read the players of a position. */
    static Map<String, Holdings> readPlayers(Element position) {
        Map<String, Holdings> players = new LinkedHashMap<>();
        for (Element player : inside(position, "player")) {
            Map<String, Integer> shares = new LinkedHashMap<>();
            for (String hotel : HOTELS) shares.put(hotel, 0);
            for (Element share : inside(player, "share"))
                shares.put(share.getAttribute("name"), Integer.parseInt(share.getAttribute("count")));
            int cash = Integer.parseInt(player.getAttribute("cash"));
            players.put(player.getAttribute("name"), new Holdings(cash, shares, readTiles(player)));
        }
        return players;
    }

    /** Write a placement; it names a hotel that is founded or survives, but not one that grows. */
    static String placementXml(Move move) {
        boolean isNamed = move.kind().equals("found") || move.kind().equals("merge");
        String hotel = isNamed ? "<hotel label=\"" + move.hotel() + "\"/>" : "";
        int last = move.tile().length() - 1;
        String column = move.tile().substring(0, last), row = move.tile().substring(last);
        return "<placement><tile column=\"" + column + "\" row=\"" + row + "\"/>" + hotel + "</placement>";
    }

    /** Write an order. */
    static String orderXml(Order order) {
        String hotels = ("<hotel label=\"" + order.hotel() + "\"/>").repeat(order.count());
        return hotels.isEmpty() ? "<order/>" : "<order>" + hotels + "</order>";
    }

    /** Write which certificates are kept and which are returned. */
    static String keepXml(List<Boolean> kept) {
        return kept.stream().map(keep -> keep ? "<true/>" : "<false/>")
            .collect(Collectors.joining("", "<keep>", "</keep>"));
    }

    // Choices ------------------------------------------------------------------------------------
    static int failed = 0; // how often a choice of yours has failed

    /** Ask your idea for a move. */
    static Move chosenMove(Map<String, String> board, Map<String, Holdings> players, String me) {
        List<Move> moves = new ArrayList<>();
        for (String tile : players.get(me).tiles()) moves.addAll(legalMoves(board, tile));
        return tried(
            () -> chooseMove(moves, board, players, me), moves::contains, moves.get(0),
            "chooseMove must return one of the moves it was given");
    }

    /** Ask your idea what to keep. */
    static List<Boolean> chosenKeep(
            List<String> hotels, Map<String, String> board, Map<String, Holdings> players, String me) {
        return tried(
            () -> chooseKeep(hotels, board, players, me),
            kept -> kept != null && kept.size() == hotels.size()
                && kept.stream().noneMatch(Objects::isNull),
            Collections.nCopies(hotels.size(), false),
            "chooseKeep must return a list of one true or false for each hotel");
    }

    /** Ask your idea for an order. */
    static Order chosenOrder(Map<String, String> board, Map<String, Holdings> players, String me) {
        List<Order> orders = legalOrders(board, players, me);
        return tried(
            () -> chooseOrder(orders, board, players, me), orders::contains, orders.get(0),
            "chooseOrder must return one of the orders it was given");
    }

    /** Ask your idea; where it fails, print why, and return the first legal choice. */
    static <T> T tried(Supplier<T> choose, Predicate<T> isLegal, T first, String expected) {
        try {
            T choice = choose.get();
            if (isLegal.test(choice)) return choice;
            System.err.println(expected);
        } catch (RuntimeException | StackOverflowError reason) { // the match goes on
            reason.printStackTrace();
        }
        failed++;
        return first;
    }

    // The rules ----------------------------------------------------------------------------------
    /** Return the two to four cells beside a tile. */
    static List<String> beside(String tile) {
        int last = tile.length() - 1;
        int column = Integer.parseInt(tile.substring(0, last)), row = ROWS.indexOf(tile.charAt(last));
        List<String> cells = new ArrayList<>();
        for (int[] to : new int[][] {{0, -1}, {-1, 0}, {1, 0}, {0, 1}}) {
            int c = column + to[0], r = row + to[1];
            if (1 <= c && c <= COLUMNS && 0 <= r && r < ROWS.length())
                cells.add(c + ROWS.substring(r, r + 1));
        }
        return cells;
    }

    /** Return the number of tiles of a hotel: 0 if it is not on the board. */
    static int size(Map<String, String> board, String hotel) {
        return Collections.frequency(board.values(), hotel);
    }

    /** Return the legal placements of a tile: one for each hotel it can name, or none at all. */
    static List<Move> legalMoves(Map<String, String> board, String tile) {
        List<String> touched = beside(tile).stream().filter(board::containsKey).map(board::get).toList();
        List<String> hotels = HOTELS.stream().filter(touched::contains).toList();
        if (hotels.isEmpty()) {
            List<String> unfounded = HOTELS.stream().filter(hotel -> size(board, hotel) == 0).toList();
            if (touched.isEmpty() || unfounded.isEmpty()) // with all seven on the board, none is founded
                return List.of(new Move("alone", tile, LOOSE, laid(board, List.of(tile), LOOSE)));
            List<String> chain = connected(board, tile);
            return unfounded.stream()
                .map(hotel -> new Move("found", tile, hotel, laid(board, chain, hotel))).toList();
        }
        int largest = hotels.stream().mapToInt(hotel -> size(board, hotel)).max().getAsInt();
        if (touched.contains(LOOSE) || (hotels.size() > 1 && largest >= SAFE)) return List.of();
        String kind = hotels.size() > 1 ? "merge" : "grow";
        List<String> cells = new ArrayList<>(List.of(tile));
        for (String cell : board.keySet()) if (hotels.contains(board.get(cell))) cells.add(cell);
        return hotels.stream().filter(hotel -> size(board, hotel) == largest)
            .map(hotel -> new Move(kind, tile, hotel, laid(board, cells, hotel))).toList();
    }

    /** Return the tile and all unincorporated tiles connected to it. */
    static List<String> connected(Map<String, String> board, String tile) {
        List<String> chain = new ArrayList<>(List.of(tile));
        for (int i = 0; i < chain.size(); i++) // which grows during the loop
            for (String c : beside(chain.get(i)))
                if (LOOSE.equals(board.get(c)) && !chain.contains(c)) chain.add(c);
        return chain;
    }

    /** Return the board on which these are tiles of this hotel. */
    static Map<String, String> laid(Map<String, String> board, List<String> tiles, String hotel) {
        Map<String, String> next = new LinkedHashMap<>(board);
        for (String tile : tiles) next.put(tile, hotel);
        return next;
    }

    /** Return the dollars for a certificate, 0 if it has no price: a cheap hotel off the board. */
    static int price(Map<String, String> board, String hotel) {
        int tiles = size(board, hotel);
        int reached = (int) SIZES.stream().filter(least -> tiles >= least).count();
        return PRICES.get(TIERS.get(hotel)).get(reached - 1);
    }

    /** Return how many certificates of a hotel the bank has. */
    static int inBank(Map<String, Holdings> players, String hotel) {
        return CERTIFICATES - players.values().stream().mapToInt(player -> player.shares().get(hotel)).sum();
    }

    /** Return the players after a move; a founder gets a certificate, if the bank has one. */
    static Map<String, Holdings> playersAfter(Map<String, Holdings> players, String me, Move move) {
        List<String> tiles =
            players.get(me).tiles().stream().filter(tile -> !tile.equals(move.tile())).toList();
        Map<String, Integer> shares = new LinkedHashMap<>(players.get(me).shares());
        if (move.kind().equals("found") && inBank(players, move.hotel()) > 0)
            shares.put(move.hotel(), shares.get(move.hotel()) + 1);
        Map<String, Holdings> after = new LinkedHashMap<>(players);
        after.put(me, new Holdings(players.get(me).cash(), shares, tiles));
        return after;
    }

    /** Return every order that you can pay for and the bank can fill; the first is NOTHING. */
    static List<Order> legalOrders(Map<String, String> board, Map<String, Holdings> players, String me) {
        List<Order> orders = new ArrayList<>(List.of(NOTHING));
        for (String hotel : HOTELS) {
            int cost = price(board, hotel);
            if (cost == 0) continue;
            int most = Math.min(AT_MOST, Math.min(inBank(players, hotel), players.get(me).cash() / cost));
            for (int count = 1; count <= most; count++) orders.add(new Order(hotel, count));
        }
        return orders;
    }

    // ============================================================================================
    // YOUR IDEA
    //
    // Three choices among legal moves. `board` maps each tile on the board to its hotel, `players`
    // maps each name to what that player has, in turn order, the mover first, and `me` is your name:
    // players.get(me).cash(), players.get(me).shares().get("Tower"), players.get(me).tiles(),
    // board.get("3F").
    // The methods size, price, inBank and beside, above, are there for you to use.
    // ============================================================================================
    /** Choose one of the moves; each knows its kind, tile and hotel, and the board after it. */
    static Move chooseMove(
            List<Move> moves, Map<String, String> board, Map<String, Holdings> players, String me) {
        return moves.stream().filter(move -> move.kind().equals("found")).findFirst().orElse(moves.get(0));
    }

    /**
     * Choose for each acquired hotel, in this order: true keeps your certificates, false sells.
     *
     * Board and players are the last ones received, from before the merging tile. Do not rely on
     * another player's merger: that player can still be ejected, and then it never happened.
     */
    static List<Boolean> chooseKeep(
            List<String> hotels, Map<String, String> board, Map<String, Holdings> players, String me) {
        return hotels.stream().map(hotel -> false).toList(); // money buys the next majority
    }

    /** Choose one of the orders; board and players are after the placement and its merger. */
    static Order chooseOrder(
            List<Order> orders, Map<String, String> board, Map<String, Holdings> players, String me) {
        return orders.stream().filter(order -> size(board, order.hotel()) > 0 && order != NOTHING)
            .min(Comparator.comparing((Order order) -> price(board, order.hotel()))
                .thenComparing(order -> -order.count()))
            .orElse(NOTHING);
    }

    // ============================================================================================
    // END OF YOUR IDEA
    // ============================================================================================
    /** Run the command line, and exit. */
    public static void main(String[] arguments) throws ParserConfigurationException {
        if (arguments.length != 3 || !arguments[1].matches("[0-9]{1,5}")) {
            System.err.println("Usage: java Player.java HOST PORT NAME");
            System.exit(2);
        }
        String host = arguments[0], port = arguments[1], name = arguments[2];
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        parser.setErrorHandler(new DefaultHandler()); // which prints nothing itself
        rehearse(parser);
        try {
            System.out.println(play(connect(host, Integer.parseInt(port)), parser, name));
        } catch (NoScoreError reason) {
            System.err.println(name + ": " + reason.getMessage());
            System.exit(1);
        }
        if (failed > 0) System.exit(3);
    }

    static Socket connect(String host, int port) {
        try {
            return new Socket(host, port);
        } catch (IOException | IllegalArgumentException reason) {
            throw new NoScoreError(
                "cannot connect to " + host + " port " + port + ": " + reason.getMessage());
        }
    }

    /** Do once what a turn needs: Java is slow at first, and no clock is running yet. */
    static void rehearse(DocumentBuilder parser) {
        String tiles = "<tile column=\"1\" row=\"A\"/><tile column=\"2\" row=\"A\"/>";
        String message = "<turn><board><tile column=\"3\" row=\"C\"/>"
            + "<hotel name=\"Tower\">" + tiles + "</hotel></board>"
            + "<player name=\"me\" cash=\"8000\"><share name=\"Tower\" count=\"1\"/></player></turn>";
        Element turn = parsed(parser, message.getBytes(UTF_8));
        Map<String, Holdings> players = readPlayers(turn);
        for (Move move : legalMoves(readBoard(turn), "4C")) {
            placementXml(move);
            legalOrders(move.board(), playersAfter(players, "me", move), "me").forEach(Player::orderXml);
        }
        keepXml(List.of(true, false));
    }
}
