/** How values become JSON and come back, strictly; nothing here knows what the values mean. */
package io.tickmark.lab.json;
