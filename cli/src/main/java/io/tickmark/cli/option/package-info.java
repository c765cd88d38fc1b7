/**
 * What can be typed: options derived from settings, the spellings of other tools, and plans changed
 * by options. Nothing is run or printed here.
 */
package io.tickmark.cli.option;
