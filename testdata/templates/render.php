<?php
extract(json_decode(file_get_contents($argv[2]), true));
include $argv[1];
