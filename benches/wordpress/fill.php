<?php
// Pictures, widgets, a menu and posts, made by WordPress' own functions: what they store is theirs.
[$_, $root] = $argv;
$_SERVER += ['HTTP_HOST' => 'old.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
require "$root/wp-load.php";
require ABSPATH . 'wp-admin/includes/image.php';
require ABSPATH . 'wp-admin/includes/nav-menu.php';
wp_set_current_user(1);
kses_remove_filters();
mt_srand(7);

function words(int $count): string
{
    $words = explode(' ', 'shop garden chair lamp winter summer linen order delivery wool oak kitchen blue Größe café');
    return implode(' ', array_map(fn () => $words[mt_rand(0, count($words) - 1)], range(1, $count)));
}

function html(int $number): string
{
    $link = '<a href="/' . sanitize_title(words(2)) . '/">' . words(2) . '</a>';
    $picture = "<img src=\"/wp-content/uploads/2024/05/$number.jpg\" alt=\"" . words(2) . '" width="300">';
    return '<p>' . words(12) . " $link " . words(14) . "</p>\n<p>$picture</p>";
}

/** Widgets of one kind. */
function widgets(string $kind, int $count, callable $widget): void
{
    $widgets = array_map($widget, range(2, $count + 1));
    $numbered = array_combine(range(2, $count + 1), $widgets);
    update_option("widget_$kind", $numbered + ['_multiwidget' => 1]);
}

global $wp_rewrite;
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
$wp_rewrite->init();
flush_rewrite_rules(false);

widgets('block', 12, fn ($i) => ['content' => "<!-- wp:paragraph -->\n" . html($i) . "\n<!-- /wp:paragraph -->"]);
widgets('text', 6, fn ($i) => ['title' => words(2), 'text' => html($i), 'filter' => true, 'visual' => true]);
widgets('custom_html', 4, fn ($i) => ['title' => words(2), 'content' => html($i) . html($i)]);
set_theme_mod('custom_logo', 5);
set_theme_mod('footer_text', html(1));
set_transient('feed', ['latest' => html(3), 'titles' => array_map('words', array_fill(0, 20, 6))], 3600);

$uploads = wp_upload_dir();
for ($i = 0; $i < 30; $i++) {
    $image = imagecreatetruecolor(1000 + mt_rand(0, 1600), 800 + mt_rand(0, 1000));
    $file = $uploads['path'] . '/' . sanitize_title(words(2)) . "-$i.jpg";
    imagejpeg($image, $file, 60);
    $id = wp_insert_attachment(['post_mime_type' => 'image/jpeg', 'post_title' => words(2)], $file);
    wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file));
}

$menu = wp_create_nav_menu('Main');
for ($i = 0; $i < 30; $i++) {
    $url = 'http://old.example/' . sanitize_title(words(2)) . '/';
    $item = ['menu-item-title' => words(2), 'menu-item-url' => $url, 'menu-item-status' => 'publish'];
    wp_update_nav_menu_item($menu, 0, $item);
}

for ($i = 0; $i < 40; $i++) {
    $content = '<!-- wp:paragraph -->' . html($i) . '<!-- /wp:paragraph -->';
    $post = wp_insert_post(['post_title' => words(4), 'post_content' => $content, 'post_status' => 'publish']);
    $size = ['name' => 'Size', 'value' => 'S | M | L', 'position' => 0, 'is_visible' => 1, 'is_variation' => 1];
    update_post_meta($post, '_product_attributes', ['size' => $size, 'colour' => ['name' => words(1)] + $size]);
    $tab = fn () => ['title' => words(2), 'content' => html($i)];
    update_post_meta($post, '_tabs', [$tab(), $tab()]);
}
