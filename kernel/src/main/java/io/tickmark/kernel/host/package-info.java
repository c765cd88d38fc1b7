/**
 * The machine under the measurement: cores, resources, environment, noise floor; nothing here deals
 * with messages.
 */
package io.tickmark.kernel.host;
