/** Roles of the feed: a server that fans out, and its clients. */
package io.tickmark.workloads.feed.role;
