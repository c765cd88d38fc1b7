/** Load clients: producers and consumers, many sessions on few threads, against any FIX gateway. */
package io.tickmark.workloads.fix.client;
