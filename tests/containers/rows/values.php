<?php
// Values in rows: `make N` writes them, `check FILE` compares them with what became of them.

error_reporting(E_ALL & ~E_DEPRECATED);

class Item { public $a; protected $b; private $c; function set($a, $b, $c) { $this->a = $a; $this->b = $b; $this->c = $c; }
    function map($f) { $this->a = $f($this->a); $this->b = $f($this->b); $this->c = $f($this->c); } }
class Own implements Serializable { public $s = '<a href="/own">'; function serialize() { return $this->s; }
    function unserialize($s) { $this->s = $s; } }
enum Suit: string { case Hearts = 'h'; case Spades = 's'; }

const BASE = 'https://e.org';
const TEXTS = ['<a href="/x">t</a>', "<img src='i.png?a=1&amp;b'>", 'é <a href=/é>字</a>', 'plain', '', "a\nb;}\"", '/rel',
    '<p>"quoted" \\ back</p><a href="/q">', 'i:5;', "\0nul", '<a href="https://o.org/">'];

function value($depth) {
    $kinds = ['text', 'text', 'text', 'int', 'float', 'bool', 'null', 'enum', 'own'];
    if ($depth < 5) array_push($kinds, 'array', 'array', 'list', 'object', 'class', 'inner', 'json', 'same');
    switch ($kinds[mt_rand(0, count($kinds) - 1)]) {
        case 'text': return TEXTS[mt_rand(0, count(TEXTS) - 1)];
        case 'int': return mt_rand(-5, 1 << 30);
        case 'float': return [0.1, -1.5e300, INF, -INF, 1e-7, 2.0][mt_rand(0, 5)];
        case 'bool': return (bool) mt_rand(0, 1);
        case 'null': return null;
        case 'enum': return Suit::Hearts;
        case 'own': return new Own;
        case 'list': return array_map(fn() => value($depth + 1), range(0, mt_rand(0, 3)));
        case 'array': return ['<a href="/key">' => value($depth + 1), 'é' => value($depth + 1), 7 => value($depth + 1)];
        case 'object': return (object) ['text' => value($depth + 1), 'n' => value($depth + 1)];
        case 'class': $o = new Item; $o->set(value($depth + 1), value($depth + 1), value($depth + 1)); return $o;
        case 'inner': return serialize([value($depth + 1), '<a href="/inner">']);
        case 'json': return json_encode(['html' => '<a href="/j">é</a>', 'more' => [serialize(['<a href="/k">'])]],
            JSON_UNESCAPED_SLASHES | [0, JSON_UNESCAPED_UNICODE, JSON_PRETTY_PRINT][mt_rand(0, 2)]);
        case 'same': $one = (object) ['s' => '<a href="/s">']; $a = [$one, $one, 1]; $a[3] = &$a[2]; return $a;
    }
}

// What the strings should have become.
function expected($value) {
    static $seen = [];
    if (is_string($value)) {
        if (preg_match('/^[asO]:\d+:/', $value)) return serialize(expected(unserialize($value)));
        if (preg_match('/^[{[]/', $value)) {
            // Each string goes its own way, and all between them stays.
            return preg_replace_callback('/(:\s*|[\[,]\s*)("(?:[^"\\\\]|\\\\.)*")(?!\s*:)/', function ($m) {
                $old = json_decode($m[2]); $new = expected($old);
                $ascii = !preg_match('/[^\x00-\x7f]/', $m[2]);
                return $old === $new ? $m[0] : $m[1] . json_encode($new, JSON_UNESCAPED_SLASHES | ($ascii ? 0 : JSON_UNESCAPED_UNICODE));
            }, $value);
        }
        if (!str_contains($value, '<')) return $value;
        return preg_replace(['~(href="|href=)/~', "~src='(?=i)~"], ['$1' . BASE . '/', "src='" . BASE . '/'], $value);
    }
    if (is_array($value)) { foreach ($value as $k => $v) if (!is_int($v)) $value[$k] = expected($v); return $value; }
    if ($value instanceof stdClass) { if (!isset($seen[spl_object_id($value)])) { $seen[spl_object_id($value)] = $value;
        foreach ((array) $value as $k => $v) $value->$k = expected($v); } return $value; }
    if ($value instanceof Item) { $value->map('expected'); return $value; }
    return $value;
}

if ($argv[1] === 'make') {
    mt_srand(53);
    for ($i = 0; $i < (int) $argv[2]; $i++) echo json_encode(['v' => serialize([value(0), value(0)])]), "\n";
    exit;
}
[$old, $new] = [file($argv[2]), explode("\n", stream_get_contents(STDIN))];
$changed = 0;
foreach ($old as $i => $line) {
    [$before, $after] = [json_decode($line)->v, json_decode($new[$i])->v];
    $read = unserialize($after);
    if ($read === false) die("row $i: PHP does not read $after\n");
    if (serialize(expected(unserialize($before))) !== $after) die("row $i:\n$before\n$after\n" . serialize(expected(unserialize($before))) . "\n");
    $changed += $before !== $after;
}
echo count($old), ' ', $changed, "\n";
