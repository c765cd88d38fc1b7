/**
 * FIX messages in bytes: where they begin and end, their checksum and their fields; no session, no
 * allocation, nothing about where the bytes come from.
 */
package io.tickmark.wire.fix;
