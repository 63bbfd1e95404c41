export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size of an image in CSS pixels from its first bytes; undefined if they are not an image or have no size. */
export type ReadPixelSize = (head: Uint8Array) => PixelSize | undefined;

/** Loads the reader of image formats. */
export async function createPixelSizeReader(): Promise<ReadPixelSize> {
  const { imageSize } = await import("image-size");
  return (head) => {
    try {
      const { width, height, orientation } = imageSize(head);
      if (!(width > 0 && height > 0)) return undefined;
      // Orientations from 5 on swap width and height.
      const turned = orientation !== undefined && orientation >= 5;
      return { width: Math.round(turned ? height : width), height: Math.round(turned ? width : height) };
    } catch {
      return undefined;
    }
  };
}
