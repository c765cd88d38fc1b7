/**
 * The fan-out gateway: takes messages from producers, gives them to consumers. Worker threads own
 * sessions; nothing but messages passes between them.
 */
package io.tickmark.workloads.fix.gateway;
