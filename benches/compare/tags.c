/* What reading tags costs at least: finds each tag of the .html files below a directory, its attributes and its end,
 * and compares the names of attributes with two. It knows no raw text, no tree and no URL, so nothing that does more
 * can be as quick: it is a measure, not an aim.
 *
 *     cc -O2 -o tags benches/compare/tags.c && ./tags DIRECTORY
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *text;
static size_t room;
static unsigned long files, tags, links;

/* Reads a tag from behind its `<`; returns its end. */
static char *tag(char *at, char *end)
{
    if (*at == '!') {
        if (at[1] != '-' || at[2] != '-')
            return at;
        char *close = memmem(at + 3, end - at - 3, "-->", 3);
        return close ? close + 3 : end;
    }
    while (at < end && *at != '>' && *at != ' ' && *at != '\n')
        at++;
    while (at < end && *at != '>') {
        while (at < end && (*at == ' ' || *at == '\n'))
            at++;
        char *name = at;
        while (at < end && *at != '=' && *at != '>' && *at != ' ')
            at++;
        size_t length = at - name;
        if ((length == 4 && !memcmp(name, "href", 4)) || (length == 3 && !memcmp(name, "src", 3)))
            links++;
        if (*at != '=')
            continue;
        at++;
        if (*at == '"' || *at == '\'') {
            char *close = memchr(at + 1, *at, end - at - 1);
            at = close ? close + 1 : end;
        } else {
            while (at < end && *at != ' ' && *at != '>')
                at++;
        }
    }
    return at;
}

static int file(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    size_t length = strlen(path), size = about->st_size, done = 0;
    (void)where;
    if (kind != FTW_F || length <= 5 || strcmp(path + length - 5, ".html"))
        return 0;
    if (size + 64 > room) {
        room = 2 * size + 64;
        text = realloc(text, room);
        if (!text)
            return 1;
    }
    int opened = open(path, O_RDONLY);
    for (ssize_t got; (got = read(opened, text + done, size - done)) > 0;)
        done += got;
    close(opened);
    files++;
    char *at = text, *end = text + done;
    *end = '>';
    while ((at = memchr(at, '<', end - at))) {
        tags++;
        at = tag(at + 1, end);
    }
    return 0;
}

int main(int count, char **given)
{
    if (count != 2 || nftw(given[1], file, 64, FTW_PHYS))
        return 1;
    printf("%lu files, %lu tags, %lu links\n", files, tags, links);
    return 0;
}
