/** How publisher and subscribers find each other, and how a step ends; nothing is measured here. */
package io.tickmark.workloads.messaging.session;
