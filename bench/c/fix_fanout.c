/* The least that fans FIX messages out: one thread, epoll, logon and logout, marked messages (9700=Y) to every
 * consumer with a header of its own, all that a pass made for a session in one write. No resending, no
 * heartbeats, no time-outs, no store: what a session layer costs is the difference to this.
 *
 * fix_fanout PRODUCERS-PORT CONSUMERS-PORT SECONDS
 */
#include "floor.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/epoll.h>

enum { MOST = 1024, IN = 1 << 17, OUT = 1 << 22, FLUSH = 1 << 16, SOH = 1 };

struct session {
    int fd;
    bool producer, open;
    char id[32];
    long seq;
    int in, out;
    char inbuf[IN];
    char *outbuf;
};

static struct session *sessions[MOST];
static int count, producers;
static bool had_producers;
static char stamp[22];
static int64_t stamp_ms;
static const char begin[] = "8=FIX.4.4\0019=";

static void show_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    int64_t ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    if (ms == stamp_ms)
        return;
    stamp_ms = ms;
    struct tm day;
    gmtime_r(&t.tv_sec, &day);
    size_t n = strftime(stamp, sizeof stamp, "%Y%m%d-%H:%M:%S", &day);
    snprintf(stamp + n, sizeof stamp - n, ".%03d", (int)(ms % 1000));
}

static unsigned sum(const char *from, int length) {
    unsigned total = 0;
    for (int i = 0; i < length; i++)
        total += (unsigned char)from[i];
    return total;
}

static int digits(char *to, long value) {
    char text[20];
    int n = 0, at = 0;
    do
        text[n++] = (char)('0' + value % 10);
    while ((value /= 10));
    while (n)
        to[at++] = text[--n];
    return at;
}

static void end_session(struct session *s) {
    if (!s->open)
        return;
    s->open = false;
    close(s->fd);
    if (s->producer)
        producers--;
}

static void flush_session(struct session *s) {
    while (s->open && s->out) {
        ssize_t n = write(s->fd, s->outbuf, (size_t)s->out);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n < 0) {
            end_session(s);
            return;
        }
        memmove(s->outbuf, s->outbuf + n, (size_t)(s->out - n));
        s->out -= (int)n;
    }
}

/* A message of this type and body; the sum of the body was made once. */
static void put(struct session *s, const char *type, int type_length, const char *body, int length, unsigned body_sum) {
    while (s->open && OUT - s->out < length + 256)
        flush_session(s); /* a floor drops nothing and has nobody else to care for */
    if (!s->open)
        return;
    char head[128];
    int h = 0;
    memcpy(head, "35=", 3), h = 3;
    memcpy(head + h, type, (size_t)type_length), h += type_length;
    memcpy(head + h, "\00149=GATEWAY\00156=", 15), h += 15;
    size_t id = strlen(s->id);
    memcpy(head + h, s->id, id), h += (int)id;
    memcpy(head + h, "\00134=", 4), h += 4;
    h += digits(head + h, ++s->seq);
    memcpy(head + h, "\00152=", 4), h += 4;
    memcpy(head + h, stamp, 21), h += 21;
    head[h++] = SOH;
    char *to = s->outbuf + s->out;
    int n = sizeof begin - 1;
    memcpy(to, begin, (size_t)n);
    n += digits(to + n, h + length);
    to[n++] = SOH;
    memcpy(to + n, head, (size_t)h), n += h;
    unsigned total = (sum(to, n) + body_sum) & 255;
    memcpy(to + n, body, (size_t)length), n += length;
    n += sprintf(to + n, "10=%03u\001", total);
    s->out += n;
    if (s->out > FLUSH)
        flush_session(s);
}

static const char *find(const char *from, const char *to, const char *tag, int *length) {
    size_t n = strlen(tag);
    for (const char *p = from; p + n < to; p++)
        if (!memcmp(p, tag, n)) {
            const char *end = memchr(p + n, SOH, (size_t)(to - p) - n);
            *length = end ? (int)(end - p - (long)n) : 0;
            return p + n;
        }
    return NULL;
}

static void fan_out(const char *message, const char *end) {
    int n;
    const char *time = find(message, end, "\00152=", &n);
    if (!time)
        return;
    const char *body = time + n + 1;
    const char *mark = find(body - 1, end, "\0019700=", &n);
    if (!mark || *mark != 'Y')
        return;
    int length = (int)(end - body);
    unsigned total = sum(body, length);
    for (int i = 0; i < count; i++)
        if (sessions[i]->open && !sessions[i]->producer && sessions[i]->id[0])
            put(sessions[i], "W", 1, body, length, total);
}

static void on_message(struct session *s, const char *message, const char *end) {
    int n;
    char type = message[3];
    if (type == 'A') {
        const char *id = find(message, end, "\00149=", &n);
        if (!id || n >= (int)sizeof s->id) {
            end_session(s);
            return;
        }
        memcpy(s->id, id, (size_t)n);
        static const char body[] = "98=0\001108=30\001141=Y\001";
        put(s, "A", 1, body, sizeof body - 1, sum(body, sizeof body - 1));
        if (s->producer)
            producers++, had_producers = true;
    } else if (type == '5') {
        put(s, "5", 1, "", 0, 0);
        flush_session(s);
        end_session(s);
    } else if (s->producer) {
        fan_out(message, end);
    }
}

/* Messages from the front, as many as are whole. */
static void take(struct session *s) {
    int at = 0;
    while (s->open && s->in - at > 25) {
        const char *p = s->inbuf + at + sizeof begin - 1;
        int length = 0;
        while (*p >= '0' && *p <= '9')
            length = length * 10 + *p++ - '0';
        const char *body = p + 1, *end = body + length;
        if (end + 7 > s->inbuf + s->in)
            break;
        if (*p != SOH || ((unsigned)sum(s->inbuf + at, (int)(end - s->inbuf) - at) & 255) != (unsigned)atoi(end + 3)) {
            fprintf(stderr, "garbled\n");
            exit(1);
        }
        on_message(s, body, end);
        at = (int)(end - s->inbuf) + 7;
    }
    memmove(s->inbuf, s->inbuf + at, (size_t)(s->in - at));
    s->in -= at;
}

static int listen_on(long port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 512))
        die("listen");
    return fd;
}

static void welcome(int poll, int listener, bool producer) {
    int fd = accept(listener, NULL, NULL), one = 1;
    if (fd < 0 || count == MOST)
        die("accept");
    fcntl(fd, F_SETFL, O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct session *s = calloc(1, sizeof *s);
    if (!s || !(s->outbuf = malloc(OUT)))
        die("memory");
    s->fd = fd, s->producer = producer, s->open = true;
    sessions[count] = s;
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = (uint32_t)(2 + count++)};
    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &e);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: fix_fanout PRODUCERS-PORT CONSUMERS-PORT SECONDS\n");
        return 2;
    }
    int listener[] = {listen_on(number(argv[1], "PRODUCERS-PORT", 1, 65535)),
                      listen_on(number(argv[2], "CONSUMERS-PORT", 1, 65535))};
    int64_t until = now_ns() + number(argv[3], "SECONDS", 1, 3600) * 1000000000;
    int poll = epoll_create1(0);
    for (uint32_t i = 0; i < 2; i++) {
        struct epoll_event e = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(poll, EPOLL_CTL_ADD, listener[i], &e);
    }
    printf("up\n");
    fflush(stdout);
    struct epoll_event ready[256];
    while (now_ns() < until && !(had_producers && producers == 0)) {
        int n = epoll_wait(poll, ready, 256, 50);
        show_time();
        for (int i = 0; i < n; i++) {
            uint32_t which = ready[i].data.u32;
            if (which < 2) {
                welcome(poll, listener[which], which == 0);
                continue;
            }
            struct session *s = sessions[which - 2];
            ssize_t got = s->open ? read(s->fd, s->inbuf + s->in, (size_t)(IN - s->in)) : -1;
            if (got <= 0) {
                if (got == 0 || errno != EAGAIN)
                    end_session(s);
                continue;
            }
            s->in += (int)got;
            take(s);
        }
        for (int i = 0; i < count; i++)
            if (sessions[i]->out)
                flush_session(sessions[i]);
    }
    for (int i = 0; i < count; i++)
        if (sessions[i]->open && sessions[i]->id[0]) {
            put(sessions[i], "5", 1, "", 0, 0);
            for (int tries = 0; tries < 1000 && sessions[i]->out; tries++, usleep(1000))
                flush_session(sessions[i]);
        }
    usleep(200000);
    return 0;
}
