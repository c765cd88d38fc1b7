/** The fan-out gateway on Artio, to be compared with. */
package io.tickmark.engines.artio;
