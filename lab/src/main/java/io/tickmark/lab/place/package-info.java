/** Where role processes run and with what command; their messages are not handled here. */
package io.tickmark.lab.place;
