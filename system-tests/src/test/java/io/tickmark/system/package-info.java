/**
 * The project as its users and its rules see it: the front door as a process, and who may use whom.
 */
package io.tickmark.system;
