/**
 * Bare loops on the clients of engines, which share nothing with our engines but the server that is
 * started; no recording, no schedules.
 */
package io.tickmark.bench.engines;
