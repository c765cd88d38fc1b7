/**
 * Sessions of clients: what each receives, when, and how it is framed; independent of the server.
 */
package io.tickmark.workloads.feed.session;
