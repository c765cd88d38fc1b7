/** Certificates for encrypted connections in tests. */
package io.tickmark.workloads.market.certificate;
