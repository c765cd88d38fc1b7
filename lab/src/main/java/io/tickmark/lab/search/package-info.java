/** The search for the highest rate that holds (RFC 9971, MLRsearch). */
package io.tickmark.lab.search;
