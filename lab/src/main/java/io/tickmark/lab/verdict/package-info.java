/** Merges what roles reported and judges it by the plan's criteria; starts and measures nothing. */
package io.tickmark.lab.verdict;
