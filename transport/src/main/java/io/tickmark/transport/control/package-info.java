/** The messages by which a publisher and its subscribers agree, independent of the transport. */
package io.tickmark.transport.control;
