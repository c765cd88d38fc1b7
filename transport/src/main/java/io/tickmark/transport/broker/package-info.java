/**
 * The engine kit: what every engine with a broker needs and none should implement again. Servers
 * that we start and their life cycle, addresses, both ends over topics, stores of one or several
 * members. Nothing that is specific to one broker belongs here.
 */
package io.tickmark.transport.broker;
