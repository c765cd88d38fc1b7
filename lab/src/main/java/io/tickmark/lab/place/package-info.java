/** Where role processes run and with what command; nothing here knows what they say. */
package io.tickmark.lab.place;
