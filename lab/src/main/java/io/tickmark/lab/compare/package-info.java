/**
 * Decides whether one run is better or worse than another, figure by figure, with intervals; pure
 * functions, except for the readers of result folders.
 */
package io.tickmark.lab.compare;
