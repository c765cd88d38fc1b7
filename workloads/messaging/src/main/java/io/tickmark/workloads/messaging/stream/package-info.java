/** The stream test: one direction, one sending thread, any number of subscribers. */
package io.tickmark.workloads.messaging.stream;
