// A starter: it plays legally in every position, and you choose what it aims for.
//
// Usage: java Player.java HOST PORT NAME
//
// It needs only Java's standard library, and plays by all five rulebooks.
// Copy it and change the methods under YOUR IDEA, near the end: they choose among what is legal
// only. docs/reference/protocol.md has the messages and the rules.
// Where one of them fails, that is printed, and the first legal choice is taken instead.
// Exit codes: 0 the game ended and the score is printed; 1 there is no score, and standard error
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
    static final List<Integer> SIZES =
        List.of(0, 2, 3, 4, 5, 6, 11, 21, 31, 41); // from each of them on, a certificate costs:
    static final Map<String, List<Integer>> PRICES =
        Map.of(
            "cheap", List.of(0, 200, 300, 400, 500, 600, 700, 800, 900, 1000),
            "medium", List.of(200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100),
            "expensive", List.of(300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200));
    static final int COLUMNS = 12;
    static final String ROWS = "ABCDEFGHI";
    static final int CERTIFICATES = 25; // of each hotel
    static final String LOOSE = ""; // stands in a board for an unincorporated tile

    /** A rulebook, as far as a player has to know it. */
    record Rules(
        Map<String, String> tiers, // of the hotels, in alphabetical order
        boolean isRevised, // the other four differ from `revised` more than from each other
        int cash, // of each player at the beginning
        int safe, // tiles of a hotel that cannot be acquired
        int large, // tiles of a hotel with which the game may end
        int atMost) { // certificates bought in a turn
    }

    static final Map<String, String> HOTELS =
        new TreeMap<>(Map.of(
            "American", "medium",
            "Continental", "expensive",
            "Festival", "medium",
            "Imperial", "medium",
            "Sackson", "cheap",
            "Tower", "expensive",
            "Worldwide", "cheap"));
    static final Map<String, String> CORPORATIONS =
        new TreeMap<>(Map.of(
            "America", "medium",
            "Fusion", "medium",
            "Hydra", "medium",
            "Phoenix", "expensive",
            "Quantum", "expensive",
            "Sackson", "cheap",
            "Zeta", "cheap"));
    static final Map<String, Rules> RULEBOOKS =
        Map.of(
            "revised", new Rules(HOTELS, true, 8000, 12, 40, 2),
            "classic", new Rules(HOTELS, false, 6000, 11, 41, 3),
            "wikipedia", new Rules(HOTELS, false, 6000, 11, 41, 3),
            "corporations", new Rules(CORPORATIONS, false, 6000, 11, 41, 3),
            "digest", new Rules(CORPORATIONS, false, 6000, 11, 41, 3));
    static Rules rules = RULEBOOKS.get("revised"); // the answer to the sign-up names those of the game

    static List<String> hotels() { return List.copyOf(rules.tiers().keySet()); }

    // A board is a Map from each tile on it, such as "3F", to its hotel, or LOOSE.
    // Players are a Map by name, in turn order, to what each has.
    // An order is a List of the hotels of which one certificate each is bought.

    /** What a player has: dollars, certificates of each hotel, tiles in hand. */
    record Holdings(int cash, Map<String, Integer> shares, List<String> tiles) {}

    /** A legal placement: its tile, the hotel founded, grown or surviving, the board after it. */
    record Move(String kind, String tile, String hotel, Map<String, String> board) {
        // kind is alone, found, grow or merge
    }

    /** How many certificates of an acquired hotel are sold, and how many traded two for one. */
    record Disposal(int sell, int trade) {}

    /** Why a game ended without a score; the text is printed. */
    @SuppressWarnings("serial")
    static class NoScoreError extends RuntimeException {
        NoScoreError(String why) { super(why); }
    }

    // The conversation ---------------------------------------------------------------------------
    /** Play one game and return the score. */
    static int play(Socket socket, DocumentBuilder parser, String me) {
        send(socket, "<signup name=\"" + escaped(me) + "\"/>");
        Map<String, String> board = Map.of(); // the last position received: the board
        Map<String, Holdings> players = Map.of(); // and the players
        Map<String, String> begun = Map.of(); // the board at the beginning of our turn
        Map<String, String> after = Map.of(); // the board after our placement,
        // which <players> of `revised` does not have
        Elements elements = new Elements(socket, parser);
        for (Element message; (message = elements.next()) != null; ) {
            if (!inside(message, "player").isEmpty()) {
                players = readPlayers(message);
                board = inside(message, "board").isEmpty() ? after : readBoard(message);
            }
            switch (message.getTagName()) {
                case "signup" -> { // no answer: nothing is expected until the table is full
                    useRulebook(message.getAttribute("rulebook"));
                    me = message.getAttribute("name"); // with a suffix if the name was taken
                }
                case "state", "tile", "market", "holders" -> send(socket, "<void/>");
                case "replace" -> // a hand without a playable tile
                    send(socket, "<replace><true/></replace>");
                case "turn" -> {
                    begun = board;
                    List<Move> moves = new ArrayList<>();
                    for (String tile : players.get(me).tiles()) moves.addAll(legalMoves(board, tile));
                    if (moves.isEmpty()) {
                        send(socket, "<pbuy>" + answeredOrder(board, board, players, me) + "</pbuy>");
                        continue;
                    }
                    Move move = chosenMove(moves, board, players, me);
                    after = move.board();
                    String answer = placementXml(move);
                    if (!move.kind().equals("merge")) { // in a merger the order is requested later
                        Map<String, Holdings> withTile = playersAfter(board, players, me, move);
                        answer = "<pbuy>" + answer + answeredOrder(board, after, withTile, me) + "</pbuy>";
                    }
                    send(socket, answer);
                }
                case "keep" -> {
                    List<String> hotels =
                        inside(message, "hotel").stream().map(hotel -> hotel.getAttribute("label")).toList();
                    send(socket, keepXml(chosenKeep(hotels, board, players, me)));
                }
                case "dispose" ->
                    send(socket, disposalXml(chosenDisposal(message, board, players, me)));
                case "merger" -> { // a tile of the market, at a table of two
                    List<Move> moves = legalMoves(board, readTiles(message).get(0));
                    send(socket, placementXml(chosenMove(moves, board, players, me)));
                }
                case "players" -> send(socket, answeredOrder(begun, board, players, me));
                case "score" -> {
                    send(socket, "<void/>");
                    for (Element result : inside(message, "result"))
                        if (result.getAttribute("name").equals(me))
                            return Integer.parseInt(result.getAttribute("score"));
                }
                case "ejected" -> throw new NoScoreError(
                    "ejected (" + message.getAttribute("reason") + "): " + message.getTextContent());
                default -> throw new NoScoreError(
                    "the referee sent <" + message.getTagName() + ">, which is unknown");
            }
        }
        throw new NoScoreError("the connection was closed before the score");
    }

    /** Play by the rulebook of this name; without a name, by `revised`. */
    static void useRulebook(String name) {
        if (name.isEmpty()) return;
        if (!RULEBOOKS.containsKey(name))
            throw new NoScoreError("the rulebook is " + name
                + ", not one of revised, classic, wikipedia, corporations, digest");
        rules = RULEBOOKS.get(name);
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
            throw new NoScoreError("the referee sent invalid XML: " + reason.getMessage());
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

    /**
     * Read the players of a position; what is hidden of the others is guessed.
     *
     * Their cash is then what everybody began with; what neither the bank nor a visible player has
     * of a hotel is divided evenly.
     */
    static Map<String, Holdings> readPlayers(Element position) {
        List<Element> seats = inside(position, "player");
        List<Map<String, Integer>> visible = new ArrayList<>();
        for (Element seat : seats) if (!seat.hasAttribute("certificates")) visible.add(readShares(seat));
        int hidden = seats.size() - visible.size();
        Map<String, Holdings> players = new LinkedHashMap<>();
        for (Element seat : seats) {
            Map<String, Integer> shares = readShares(seat);
            if (seat.hasAttribute("certificates")) {
                Map<String, Integer> bank = readShares(inside(position, "bank").get(0));
                for (String hotel : hotels()) {
                    int seen = visible.stream().mapToInt(other -> other.get(hotel)).sum();
                    shares.put(hotel, (CERTIFICATES - bank.get(hotel) - seen) / hidden);
                }
                visible.add(shares);
                hidden -= 1;
            }
            int cash = seat.hasAttribute("cash")
                ? Integer.parseInt(seat.getAttribute("cash")) : rules.cash();
            players.put(seat.getAttribute("name"), new Holdings(cash, shares, readTiles(seat)));
        }
        return players;
    }

    /** Read the certificates of a player or the bank. */
    static Map<String, Integer> readShares(Element parent) {
        Map<String, Integer> shares = new LinkedHashMap<>();
        for (String hotel : hotels()) shares.put(hotel, 0);
        for (Element share : inside(parent, "share"))
            shares.put(share.getAttribute("name"), Integer.parseInt(share.getAttribute("count")));
        return shares;
    }

    /** Write a placement; it names a hotel that is founded or survives, but not one that grows. */
    static String placementXml(Move move) {
        boolean isNamed = move.kind().equals("found") || move.kind().equals("merge");
        String hotel = isNamed ? "<hotel label=\"" + move.hotel() + "\"/>" : "";
        int last = move.tile().length() - 1;
        String column = move.tile().substring(0, last), row = move.tile().substring(last);
        return "<placement><tile column=\"" + column + "\" row=\"" + row + "\"/>" + hotel + "</placement>";
    }

    /** Write an order, with the declaration of the end if there is one. */
    static String orderXml(List<String> order, boolean end) {
        String hotels = order.stream().map(hotel -> "<hotel label=\"" + hotel + "\"/>")
            .collect(Collectors.joining()) + (end ? "<end/>" : "");
        return hotels.isEmpty() ? "<order/>" : "<order>" + hotels + "</order>";
    }

    /** Write how many certificates are sold and traded. */
    static String disposalXml(Disposal disposal) {
        return "<dispose sell=\"" + disposal.sell() + "\" trade=\"" + disposal.trade() + "\"/>";
    }

    /** Write which certificates are kept and which are returned. */
    static String keepXml(List<Boolean> kept) {
        return kept.stream().map(keep -> keep ? "<true/>" : "<false/>")
            .collect(Collectors.joining("", "<keep>", "</keep>"));
    }

    // Choices ------------------------------------------------------------------------------------
    static int failed = 0; // how often a choice of yours has failed

    /** Ask your idea for a move. */
    static Move chosenMove(
            List<Move> moves, Map<String, String> board, Map<String, Holdings> players, String me) {
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

    /** Ask your idea what to sell and trade of an acquired hotel. */
    static Disposal chosenDisposal(
            Element question, Map<String, String> board, Map<String, Holdings> players, String me) {
        String hotel = question.getAttribute("hotel"), survivor = question.getAttribute("survivor");
        int paid = Integer.parseInt(question.getAttribute("price"));
        List<Disposal> disposals =
            legalDisposals(players.get(me).shares().get(hotel), inBank(players, survivor));
        return tried(
            () -> chooseDisposal(disposals, paid, survivor, board, players, me),
            disposals::contains, disposals.get(0),
            "chooseDisposal must return one of the disposals it was given");
    }

    /**
     * Ask your idea for an order and, where it may be declared, for the end; write both.
     *
     * The end may be declared if that was allowed when the turn began, or is allowed now.
     */
    static String answeredOrder(
            Map<String, String> begun, Map<String, String> board, Map<String, Holdings> players, String me) {
        List<List<String>> orders = legalOrders(board, players, me);
        List<String> order = tried(
            () -> chooseOrder(orders, board, players, me), orders::contains, orders.get(0),
            "chooseOrder must return one of the orders it was given");
        boolean end = false;
        if (!rules.isRevised() && (mayEnd(begun) || mayEnd(board)))
            end = tried(
                () -> chooseEnd(board, players, me), choice -> true, false,
                "chooseEnd must return true or false");
        return orderXml(order, end);
    }

    /** Ask your idea; where it fails, print why, and return the first legal choice. */
    static <T> T tried(Supplier<T> choose, Predicate<T> isLegal, T first, String expected) {
        try {
            T choice = choose.get();
            if (isLegal.test(choice)) return choice;
            System.err.println(expected);
        } catch (RuntimeException | StackOverflowError reason) { // the game goes on
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
        List<String> hotels = hotels().stream().filter(touched::contains).toList();
        List<String> chain = connected(board, tile);
        if (hotels.isEmpty()) {
            List<String> unfounded = hotels().stream().filter(hotel -> size(board, hotel) == 0).toList();
            if (!touched.isEmpty() && !unfounded.isEmpty())
                return unfounded.stream()
                    .map(hotel -> new Move("found", tile, hotel, laid(board, chain, hotel))).toList();
            if (!touched.isEmpty() && !rules.isRevised()) return List.of(); // all seven are on the board
            return List.of(new Move("alone", tile, LOOSE, laid(board, List.of(tile), LOOSE)));
        }
        long safe = hotels.stream().filter(hotel -> size(board, hotel) >= rules.safe()).count();
        if (hotels.size() > 1 && safe > (rules.isRevised() ? 0 : 1)) return List.of();
        if (touched.contains(LOOSE) && rules.isRevised()) return List.of();
        String kind = hotels.size() > 1 ? "merge" : "grow";
        List<String> cells = new ArrayList<>(chain);
        for (String cell : board.keySet()) if (hotels.contains(board.get(cell))) cells.add(cell);
        int largest = hotels.stream().mapToInt(hotel -> size(board, hotel)).max().getAsInt();
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

    /**
     * Return the dollars for a certificate, 0 if it has no price.
     *
     * Only `revised` has prices off the board, and there none of a cheap hotel.
     */
    static int price(Map<String, String> board, String hotel) {
        int tiles = size(board, hotel);
        if (tiles == 0 && !rules.isRevised()) return 0;
        int reached = (int) SIZES.stream().filter(least -> tiles >= least).count();
        return PRICES.get(rules.tiers().get(hotel)).get(reached - 1);
    }

    /** Return how many certificates of a hotel the bank has. */
    static int inBank(Map<String, Holdings> players, String hotel) {
        return CERTIFICATES - players.values().stream().mapToInt(player -> player.shares().get(hotel)).sum();
    }

    /**
     * Return the players after a move: what it would bring everybody.
     *
     * A founder gets a certificate, if the bank has one. A merger pays its bonuses, and here
     * everybody then sells the certificates of the acquired hotels. The board is the one before it.
     */
    static Map<String, Holdings> playersAfter(
            Map<String, String> board, Map<String, Holdings> players, String me, Move move) {
        boolean isFounder = move.kind().equals("found") && inBank(players, move.hotel()) > 0;
        List<String> acquired = !move.kind().equals("merge") ? List.of()
            : beside(move.tile()).stream().map(cell -> board.getOrDefault(cell, LOOSE)).distinct()
                .filter(hotel -> !hotel.equals(LOOSE) && !hotel.equals(move.hotel())).toList();
        Map<String, Holdings> after = new LinkedHashMap<>();
        players.forEach((name, player) -> {
            int cash = player.cash();
            Map<String, Integer> shares = new LinkedHashMap<>(player.shares());
            if (isFounder && name.equals(me)) shares.merge(move.hotel(), 1, Integer::sum);
            for (String hotel : acquired) {
                cash += bonuses(board, players, hotel).getOrDefault(name, 0);
                cash += shares.put(hotel, 0) * price(board, hotel);
            }
            List<String> tiles =
                player.tiles().stream().filter(tile -> !tile.equals(move.tile())).toList();
            after.put(name, new Holdings(cash, shares, tiles));
        });
        return after;
    }

    /**
     * Return who gets which bonus if a hotel is acquired now, or paid out at the end.
     *
     * What the stock market gets at a table of two is not known before its tile is drawn.
     */
    static Map<String, Integer> bonuses(
            Map<String, String> board, Map<String, Holdings> players, String hotel) {
        int unit = price(board, hotel);
        // from each number of certificates that somebody holds, the largest first, to its holders
        Map<Integer, List<String>> held = new TreeMap<>(Comparator.reverseOrder());
        players.forEach((name, player) ->
            held.computeIfAbsent(player.shares().get(hotel), count -> new ArrayList<>()).add(name));
        held.remove(0);
        Map<String, Integer> due = new LinkedHashMap<>();
        List<Integer> places = List.of(10 * unit, 5 * unit); // the majority bonus, the minority bonus
        boolean isAlone = held.values().stream().mapToInt(List::size).sum() == 1;
        if (isAlone && !rules.isRevised()) places = List.of(15 * unit); // the only holder gets both
        for (List<String> tied : held.values()) {
            int taken = Math.min(tied.size(), places.size());
            int pool = places.subList(0, taken).stream().mapToInt(bonus -> bonus).sum();
            places = places.subList(taken, places.size());
            if (pool > 0) for (String name : tied) due.put(name, shared(pool, tied.size()));
        }
        return due;
    }

    /** Return what each of the tied holders gets: to the nearest dollar, or up to the next 100. */
    static int shared(int bonus, int holders) {
        if (holders == 1) return bonus;
        if (rules.isRevised()) return (2 * bonus + holders) / (2 * holders);
        return (bonus + 100 * holders - 1) / (100 * holders) * 100;
    }

    /** Return what everybody would have if the game were over: cash, certificates, bonuses. */
    static Map<String, Integer> worth(Map<String, String> board, Map<String, Holdings> players) {
        Map<String, Integer> money = new LinkedHashMap<>();
        players.forEach((name, player) -> money.put(name, player.cash()));
        for (String hotel : hotels()) {
            if (size(board, hotel) == 0) continue;
            players.forEach((name, player) ->
                money.merge(name, player.shares().get(hotel) * price(board, hotel), Integer::sum));
            bonuses(board, players, hotel).forEach((name, bonus) -> money.merge(name, bonus, Integer::sum));
        }
        return money;
    }

    /** Return whether a player may declare the end: a large hotel, or none that is not safe. */
    static boolean mayEnd(Map<String, String> board) {
        List<Integer> sizes =
            hotels().stream().map(hotel -> size(board, hotel)).filter(tiles -> tiles > 0).toList();
        return sizes.stream().anyMatch(tiles -> tiles >= rules.large())
            || (!sizes.isEmpty() && sizes.stream().allMatch(tiles -> tiles >= rules.safe()));
    }

    /**
     * Return every order that you can pay for and the bank can fill; the first is for nothing.
     *
     * Under `revised` all certificates of an order are of the same hotel.
     */
    static List<List<String>> legalOrders(
            Map<String, String> board, Map<String, Holdings> players, String me) {
        List<List<String>> orders = new ArrayList<>(List.of(List.of()));
        for (String hotel : hotels()) {
            int most = price(board, hotel) > 0 ? inBank(players, hotel) : 0;
            List<List<String>> before = rules.isRevised() ? List.of(List.of()) : List.copyOf(orders);
            for (List<String> order : before) {
                List<String> longer = new ArrayList<>(order);
                while (longer.size() < rules.atMost() && longer.size() - order.size() < most) {
                    longer.add(hotel);
                    if (cost(board, longer) > players.get(me).cash()) break;
                    orders.add(List.copyOf(longer));
                }
            }
        }
        return orders;
    }

    /** Return the dollars that an order costs. */
    static int cost(Map<String, String> board, List<String> order) {
        return order.stream().mapToInt(hotel -> price(board, hotel)).sum();
    }

    /**
     * Return every way to sell and trade so many certificates; the first is to hold them all.
     *
     * The bank has `left` certificates of the survivor.
     */
    static List<Disposal> legalDisposals(int owned, int left) {
        List<Disposal> disposals = new ArrayList<>();
        for (int sell = 0; sell <= owned; sell++)
            for (int trade = 0; trade <= Math.min(owned - sell, 2 * left); trade += 2)
                disposals.add(new Disposal(sell, trade));
        return disposals;
    }

    // ============================================================================================
    // YOUR IDEA
    //
    // Choices among what is legal. `board` maps each tile on the board to its hotel, `players` maps
    // each name to what that player has, in turn order, the mover first, and `me` is your name:
    // players.get(me).cash(), players.get(me).shares().get("Tower"), players.get(me).tiles(),
    // board.get("3F").
    // The methods above are there for you to use: size, price, inBank, beside; bonuses and worth,
    // in dollars by name; playersAfter, which simulates a merger; hotels() and rules.isRevised().
    // ============================================================================================
    /** Choose one of the moves; each knows its kind, tile and hotel, and the board after it. */
    static Move chooseMove(
            List<Move> moves, Map<String, String> board, Map<String, Holdings> players, String me) {
        return moves.stream().filter(move -> move.kind().equals("found")).findFirst().orElse(moves.get(0));
    }

    /**
     * Choose for each acquired hotel: true keeps your certificates, false sells (only `revised`).
     *
     * Board and players are the last ones received, from before the merging tile. Do not rely on
     * another player's merger: that player can still be ejected, and then it never happened.
     */
    static List<Boolean> chooseKeep(
            List<String> hotels, Map<String, String> board, Map<String, Holdings> players, String me) {
        return hotels.stream().map(hotel -> false).toList(); // money buys the next majority
    }

    /**
     * Choose what to do with an acquired hotel's certificates, except under `revised`.
     *
     * One that is sold brings `paid` dollars; two are traded for one of the survivor; the rest is
     * held. Board and players are those after the bonuses.
     */
    static Disposal chooseDisposal(
            List<Disposal> disposals, int paid, String survivor,
            Map<String, String> board, Map<String, Holdings> players, String me) {
        int one = price(board, survivor);
        return Collections.max(disposals,
            Comparator.comparing(disposal -> disposal.sell() * paid + disposal.trade() / 2 * one));
    }

    /** Choose one of the orders; board and players are after the placement and its merger. */
    static List<String> chooseOrder(
            List<List<String>> orders, Map<String, String> board, Map<String, Holdings> players, String me) {
        return orders.stream()
            .filter(order -> !order.isEmpty() && order.stream().allMatch(hotel -> size(board, hotel) > 0))
            .min(Comparator.comparing((List<String> order) -> (double) cost(board, order) / order.size())
                .thenComparing(order -> -order.size()))
            .orElse(List.of());
    }

    /** Choose whether to declare the end, where that is allowed; never asked under `revised`. */
    static boolean chooseEnd(Map<String, String> board, Map<String, Holdings> players, String me) {
        Map<String, Integer> money = worth(board, players);
        return money.get(me).equals(Collections.max(money.values()));
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
        Map<String, String> board = readBoard(turn);
        for (Rules each : List.of(RULEBOOKS.get("classic"), rules)) { // ends with those of now
            rules = each;
            for (Move move : legalMoves(board, "4C")) {
                placementXml(move);
                Map<String, Holdings> after = playersAfter(board, players, "me", move);
                legalOrders(move.board(), after, "me").forEach(order -> orderXml(order, false));
            }
        }
        worth(board, players);
        legalDisposals(3, 1).forEach(Player::disposalXml);
        keepXml(List.of(true, false));
    }
}
