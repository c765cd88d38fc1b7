/** The stream test: one way, one sending thread, any number of subscribers. */
package io.tickmark.workloads.messaging.stream;
