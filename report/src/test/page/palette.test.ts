// Lines are told apart by colour and by shape; where one is the same, everybody has to see the other.
import { describe, expect, it } from 'vitest';
import { shape, SHAPE_PATHS } from '../../main/page/chart/palette';
import css from '../../main/page/style.css?raw';

type Vector = [number, number, number];

const SERIES = 8;
/** In OKLab, in which black and white are 1 apart. */
const DISTINCT = 0.1;

/** Machado, Oliveira and Fernandes 2009, severity 1. */
const SEEN_BY: Record<string, [Vector, Vector, Vector]> = {
  'without red': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  'without green': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  'without blue': [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const all = [...css.matchAll(/--series-\d: (#[0-9a-f]{6})/g)].map((found) => found[1] ?? '');
const themes = { light: all.slice(0, SERIES), 'dark by the system': all.slice(SERIES, 2 * SERIES), 'dark by choice': all.slice(2 * SERIES) };

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function linear(colour: string): Vector {
  const part = (from: number): number => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function okLab(rgb: Vector): Vector {
  const [r, g, b] = rgb.map((part) => Math.min(1, Math.max(0, part))) as Vector;
  const cones: Vector = [
    Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

function distance(a: string, b: string, eye: [Vector, Vector, Vector]): number {
  const seen = (colour: string): Vector => okLab(eye.map((row) => dot(row, linear(colour))) as Vector);
  const [one, other] = [seen(a), seen(b)];
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

describe('the lines of a chart', () => {
  it('should have the same shape only where colour-blind readers see different colours', () => {
    for (const [theme, colours] of Object.entries(themes)) {
      expect(colours, theme).toHaveLength(SERIES);
      for (const [eye, matrix] of Object.entries(SEEN_BY)) {
        colours.forEach((colour, at) => colours.slice(0, at).forEach((other, before) => {
          if (shape(at) === shape(before)) {
            expect(distance(colour, other, matrix), `${theme}, ${eye}: lines ${before + 1} and ${at + 1}`).toBeGreaterThan(DISTINCT);
          }
        }));
      }
    }
  });

  it('should share colour and shape with none of the next fifty', () => {
    const looks = Array.from({ length: 50 }, (_, at) => `${at % SERIES} ${SHAPE_PATHS[at % SHAPE_PATHS.length]}`);
    expect(new Set(looks).size).toBe(looks.length);
    expect(new Set(Array.from({ length: 50 }, (_, at) => shape(at))).size).toBe(SHAPE_PATHS.length);
  });
});
