<?php

declare(strict_types=1);

use App\Models\Unit;

return [

    /*
    |--------------------------------------------------------------------------
    | Validation Language Lines
    |--------------------------------------------------------------------------
    */

    'accepted' => 'The :attribute must be accepted.',
    // Shown below the field.
    # In red.
    "quoted" => "It's \"here\":\n\t\$5 \u{e9}\x41\101 \q",
    'raw'      => 'C:\temp\\ it\'s',
    'apples' => 'One apple|Many apples', // a plural
    'between' => [
        'array' => 'Between :min and :max.',
        'file' => 'From :min', 'string' => 'To :max',
        'empty' => [],
    ],
    'old' => array('a' => 'b', 'c'),
    'list' => [
        'First',
        ['title' => 'Second'],
        12 => 'Twelve',
        'Thirteen'
    ],
    'number' => 12,
    'constant' => Unit::NAME,
    Unit::KEY => 'dynamic',
    'joined' => 'a' . 'b',
    'call' => trim(' x, y '),
    'variable' => "Hello $name",
    'closure' => fn ($x) => ['a' => 'b'],
    'here' => <<<TEXT
        Not 'a => [unit
        TEXT,
    'both' => ['a' => 'b'] + ['c' => 'd'],
    'options' => [
        'yes' => 'Yes',
        'no' => 'No'
    ]
];
