/** A conflation policy as a user would write one. */
package io.tickmark.workloads.feed.sample;
