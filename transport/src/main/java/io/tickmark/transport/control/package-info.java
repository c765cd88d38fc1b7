/** The messages by which a publisher and its subscribers agree, whatever carries them. */
package io.tickmark.transport.control;
