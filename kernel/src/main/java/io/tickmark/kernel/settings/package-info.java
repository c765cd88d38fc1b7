/** Settings records and the one description from which options, schema and docs tables are made. */
package io.tickmark.kernel.settings;
