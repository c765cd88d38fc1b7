package lab;

/** A class in the driver's jar that is none. */
public class NoDriver {}
