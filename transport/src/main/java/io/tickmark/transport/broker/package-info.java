/**
 * The engine kit: what every engine with a broker needs and none should write again. Own servers
 * and their life, addresses, both ends over topics, stores of one or several members. What is
 * peculiar to one broker must not be here.
 */
package io.tickmark.transport.broker;
