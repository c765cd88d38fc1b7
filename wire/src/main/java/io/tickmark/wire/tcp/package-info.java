/**
 * TCP streams put together from captured segments: what was lost on the wire, what only by the
 * capture; nothing about what the bytes mean.
 */
package io.tickmark.wire.tcp;
