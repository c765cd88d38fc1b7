/** FIX fan-out: a gateway, its producers and its consumers. */
package io.tickmark.workloads.fix;
