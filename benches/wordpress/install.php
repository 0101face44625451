<?php
// What the page of the installation does.
[$_, $root] = $argv;
$_SERVER += ['HTTP_HOST' => 'old.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
define('WP_INSTALLING', true);
require "$root/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';

function wp_mail()
{
    return true;
}

wp_install('A shop', 'admin', 'a@old.example', true, '', wp_generate_password());
foreach (['siteurl', 'home'] as $option) {
    update_option($option, 'http://old.example');
}
