/**
 * What can be typed: options made from settings, the words of other tools, and plans changed by
 * what was typed. Nothing is run or printed here.
 */
package io.tickmark.cli.option;
