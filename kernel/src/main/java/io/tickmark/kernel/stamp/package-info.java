/** The stamp that every measured message begins with. */
package io.tickmark.kernel.stamp;
