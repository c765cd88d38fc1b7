/**
 * The documentation against the code: tables made from descriptors, links, mentions, and the
 * samples.
 */
package io.tickmark.system.docs;
