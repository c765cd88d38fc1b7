/**
 * The machine under the measurement: cores, resources, environment, noise floor; nothing here knows
 * a message.
 */
package io.tickmark.kernel.host;
