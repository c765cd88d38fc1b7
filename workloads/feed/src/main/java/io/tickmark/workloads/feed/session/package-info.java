/** Sessions of clients: what each gets, when, and how it is framed; knows no server. */
package io.tickmark.workloads.feed.session;
