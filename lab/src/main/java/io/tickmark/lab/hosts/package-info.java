/** Roles on other machines: reached by ssh, served by an agent, their clocks compared with ours. */
package io.tickmark.lab.hosts;
