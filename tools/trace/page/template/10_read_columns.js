// SPDX-License-Identifier: BSD-3-Clause
"use strict";
// The arrays of the page, as packed_columns.cpp packs them.

const bytesOfBase64 = text => {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
};

async function gunzip(bytes) {
  if (typeof DecompressionStream === "undefined")
    throw new Error("This browser cannot unpack the page (DecompressionStream is missing): take a newer one.");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Byte 0 of all numbers, then byte 1 of all, ...
function joinBytes(bytes, offset, count) {
  const joined = new Uint32Array(count);
  for (let byte = 0; byte < 4; ++byte) {
    const from = offset + byte * count, shift = 8 * byte;
    for (let i = 0; i < count; ++i) joined[i] |= bytes[from + i] << shift;
  }
  return joined;
}

function sumDifferences(coded) {
  let before = 0;
  for (let i = 0; i < coded.length; ++i) {
    const c = coded[i];
    before = (before + ((c >>> 1) ^ -(c & 1))) | 0;
    coded[i] = before;
  }
  return coded;
}

// index: name -> {type, coding, count, offset}. Result: name -> array.
async function readColumns(index, text) {
  const bytes = await gunzip(bytesOfBase64(text));
  const columns = {};
  for (const [name, column] of Object.entries(index)) {
    if (column.type === "u8") {
      columns[name] = bytes.subarray(column.offset, column.offset + column.count);
      continue;
    }
    const numbers = joinBytes(bytes, column.offset, column.count);
    if (column.coding === "differences") sumDifferences(numbers);
    columns[name] = column.type === "f32" ? new Float32Array(numbers.buffer) : numbers;
  }
  return columns;
}
