/**
 * What the jars on the class path declare for others to find; nothing here knows what it is for.
 */
package io.tickmark.kernel.jars;
