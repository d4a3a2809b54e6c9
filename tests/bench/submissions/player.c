/* A player in C: it places the first tile it may place, and buys nothing. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 12, ROWS = 9, HOTELS = 7, SAFE = 12, NONE = -2, LOOSE = -1 };
static const char *NAMES[HOTELS] = {"American", "Continental", "Festival", "Imperial",
                                    "Sackson", "Tower", "Worldwide"};
static char text[1 << 20];
static size_t held;
static int board[COLUMNS + 2][ROWS + 2], sizes[HOTELS], server;

static int hotel_named(const char *at) {
    for (int hotel = 0; hotel < HOTELS; hotel++)
        if (!strncmp(at, NAMES[hotel], strlen(NAMES[hotel]))) return hotel;
    return NONE;
}

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* Return where the element at the beginning of the text ends, or 0 if it is not whole. */
static char *element_end(void) {
    char name[32], end[40], *close = memchr(text, '>', held);
    if (!close) return 0;
    if (close[-1] == '/') return close + 1;
    if (sscanf(text, "<%31[a-z]", name) != 1) fail("not an element");
    snprintf(end, sizeof end, "</%s>", name);
    char *found = strstr(text, end);
    return found ? found + strlen(end) : 0;
}

static void answer(const char *message) {
    if (write(server, message, strlen(message)) < 0) fail("the connection was lost");
}

/* Read the tile at a place in the text. */
static void read_tile(const char *at, int *column, int *row) {
    *column = atoi(strstr(at, "column=\"") + 8);
    *row = strstr(at, "row=\"")[5] - 'A' + 1;
}

static void read_board(const char *at, const char *end) {
    int hotel = LOOSE;
    for (int column = 0; column < COLUMNS + 2; column++)
        for (int row = 0; row < ROWS + 2; row++) board[column][row] = NONE;
    memset(sizes, 0, sizeof sizes);
    for (; at < end; at++) {
        if (!strncmp(at, "<hotel", 6)) hotel = hotel_named(strstr(at, "name=\"") + 6);
        if (!strncmp(at, "</hotel>", 8)) hotel = LOOSE;
        if (strncmp(at, "<tile", 5)) continue;
        int column, row;
        read_tile(at, &column, &row);
        board[column][row] = hotel;
        if (hotel >= 0) sizes[hotel]++;
    }
}

/* Write the placement of a tile, or return 0 if it may not be placed. */
static int placement(int column, int row, char *to, size_t size) {
    int around[] = {board[column - 1][row], board[column + 1][row], board[column][row - 1],
                    board[column][row + 1]};
    int loose = 0, count = 0, largest = NONE, named = NONE;
    for (int at = 0; at < 4; at++) {
        int hotel = around[at], seen = 0;
        for (int before = 0; before < at; before++) seen |= around[before] == hotel;
        if (seen) continue;
        loose |= hotel == LOOSE;
        if (hotel < 0) continue;
        count++;
        if (largest == NONE || sizes[hotel] > sizes[largest]) largest = hotel;
    }
    if (count && loose) return 0;
    if (count > 1 && sizes[largest] >= SAFE) return 0;
    if (count > 1) named = largest;
    if (!count && loose)
        for (int hotel = 0; hotel < HOTELS && named == NONE; hotel++)
            if (!sizes[hotel]) named = hotel;
    char hotel[64] = "";
    if (named != NONE) snprintf(hotel, sizeof hotel, "<hotel label=\"%s\"/>", NAMES[named]);
    snprintf(to, size, "<placement><tile column=\"%d\" row=\"%c\"/>%s</placement>", column,
             'A' + row - 1, hotel);
    return count > 1 ? 2 : 1;
}

static void take_turn(char *end) {
    char *players = strstr(text, "<player"), move[256], whole[320];
    read_board(text, players);
    char *next = strstr(players + 1, "<player "), *stop = next && next < end ? next : end;
    for (char *at = players; (at = strstr(at, "<tile")) && at < stop; at++) {
        int column, row, kind;
        read_tile(at, &column, &row);
        if (!(kind = placement(column, row, move, sizeof move))) continue;
        const char *form = kind == 2 ? "%s" : "<pbuy>%s<order/></pbuy>";
        snprintf(whole, sizeof whole, form, move);
        answer(whole);
        return;
    }
    fail("no tile can be placed");
}

static void keep_nothing(char *end) {
    answer("<keep>");
    for (char *at = text; (at = strstr(at, "<hotel")) && at < end; at++) answer("<false/>");
    answer("</keep>");
}

int main(int count, char **words) {
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
    if (count != 4) fail("usage: player HOST PORT NAME");
    if (getaddrinfo(words[1], words[2], &hints, &found)) fail("no such host");
    server = socket(found->ai_family, SOCK_STREAM, 0);
    if (connect(server, found->ai_addr, found->ai_addrlen)) fail("cannot connect");
    char sign_up[256];
    snprintf(sign_up, sizeof sign_up, "<signup name=\"%s\"/>", words[3]);
    answer(sign_up);
    for (;;) {
        char *end = element_end();
        if (!end) {
            ssize_t got = read(server, text + held, sizeof text - held - 1);
            if (got <= 0) fail("the connection was closed before the score");
            held += (size_t)got;
            text[held] = 0;
            continue;
        }
        if (!strncmp(text, "<turn", 5)) take_turn(end);
        else if (!strncmp(text, "<keep", 5)) keep_nothing(end);
        else if (!strncmp(text, "<players", 8)) answer("<order/>");
        else if (!strncmp(text, "<ejected", 8)) fail(text);
        else if (strncmp(text, "<signup", 7)) answer("<void/>");
        if (!strncmp(text, "<score", 6)) return 0;
        held -= (size_t)(end - text);
        memmove(text, end, held + 1);
    }
}
