// What a connection has to write: heads of frames, copied, and messages where they lie.
#include <stdlib.h>
#include <string.h>

#include "serve/h2/internal.h"

// Messages that a connection keeps to use again.
enum { MOST_SPARE_MESSAGES = 16 };
// Memory for copied bytes that a connection keeps.
static const size_t MOST_SPARE_BYTES = 64 * 1024;

sv_h2_message *sv_h2_message_create(sv_h2_connection *connection, size_t num_pieces) {
  sv_h2_message *message = connection->spare_messages;
  if (message) {
    connection->spare_messages = message->next;
    connection->num_spare_messages--;
  } else if ((message = malloc(sizeof *message))) {
    message->pieces = message->first_pieces;
    message->room_pieces = sizeof message->first_pieces / sizeof message->first_pieces[0];
  } else {
    return NULL;
  }
  if (num_pieces > message->room_pieces) {
    sv_piece *pieces = malloc(num_pieces * sizeof *pieces);
    if (!pieces) {
      free(message);
      return NULL;
    }
    message->pieces = pieces;
    message->room_pieces = num_pieces;
  }
  message->connection = connection;
  message->references = 1;
  message->next = NULL;
  message->piece = message->offset = message->left = 0;
  message->num_pieces = num_pieces;
  return message;
}

void sv_h2_message_release(sv_h2_message *message) {
  if (--message->references) {
    return;
  }
  if (message->released) {
    message->released(message->argument);
  }
  if (message->pieces != message->first_pieces) {
    free(message->pieces);
    message->pieces = message->first_pieces;
    message->room_pieces = sizeof message->first_pieces / sizeof message->first_pieces[0];
  }
  sv_h2_connection *connection = message->connection;
  if (connection->num_spare_messages >= MOST_SPARE_MESSAGES) {
    free(message);
    return;
  }
  message->next = connection->spare_messages;
  connection->spare_messages = message;
  connection->num_spare_messages++;
}

void sv_h2_messages_free(sv_h2_message *list) {
  while (list) {
    sv_h2_message *next = list->next;
    free(list);
    list = next;
  }
}

static sv_h2_stretch *add(sv_h2_output *output) {
  if (output->num_stretches == output->room_stretches) {
    size_t room = output->room_stretches ? 2 * output->room_stretches : 16;
    sv_h2_stretch *stretches = realloc(output->stretches, room * sizeof *stretches);
    if (!stretches) {
      output->failed = true;
      return NULL;
    }
    output->stretches = stretches;
    output->room_stretches = room;
  }
  return &output->stretches[output->num_stretches++];
}

void sv_h2_output_copy(sv_h2_output *output, const void *bytes, size_t size) {
  size_t offset = output->bytes.size;
  sv_text_add(&output->bytes, bytes, size);
  if (output->bytes.failed) {
    output->failed = true;
    return;
  }
  sv_h2_stretch *last = output->num_stretches ? &output->stretches[output->num_stretches - 1] : NULL;
  if (last && !last->message) {
    last->size += size;  // copied bytes follow each other
  } else {
    last = add(output);
    if (!last) {
      return;
    }
    *last = (sv_h2_stretch){.offset = offset, .size = size};
  }
  output->size += size;
}

void sv_h2_output_refer(sv_h2_output *output, sv_h2_message *message, const void *data, size_t size) {
  sv_h2_stretch *stretch = add(output);
  if (stretch) {
    *stretch = (sv_h2_stretch){.message = message, .data = data, .size = size};
    message->references++;
    output->size += size;
  }
}

int sv_h2_output_pieces(const sv_h2_output *output, struct iovec *pieces, int most) {
  int count = 0;
  for (size_t i = output->first; i < output->num_stretches && count < most; i++) {
    const sv_h2_stretch *stretch = &output->stretches[i];
    const char *data = stretch->message ? stretch->data : output->bytes.data + stretch->offset;
    pieces[count++] = (struct iovec){(void *)(uintptr_t)data, stretch->size};
  }
  return count;
}

void sv_h2_output_written(sv_h2_output *output, size_t size) {
  output->size -= size;
  while (size) {
    sv_h2_stretch *stretch = &output->stretches[output->first];
    size_t part = size < stretch->size ? size : stretch->size;
    if (stretch->message) {
      stretch->data += part;
    }
    stretch->offset += part;
    stretch->size -= part;
    size -= part;
    if (!stretch->size) {
      output->first++;
      if (stretch->message) {
        sv_h2_message_release(stretch->message);
      }
    }
  }
  if (!output->size) {
    output->first = output->num_stretches = 0;
    if (output->bytes.capacity > MOST_SPARE_BYTES) {
      sv_text_free(&output->bytes);
    } else {
      sv_text_clear(&output->bytes);
    }
  }
}

void sv_h2_output_free(sv_h2_output *output) {
  for (size_t i = output->first; i < output->num_stretches; i++) {
    if (output->stretches[i].message) {
      sv_h2_message_release(output->stretches[i].message);
    }
  }
  free(output->stretches);
  sv_text_free(&output->bytes);
  *output = (sv_h2_output){0};
}
