/** The fan-out gateway on Artio, for comparison. */
package io.tickmark.engines.artio;
