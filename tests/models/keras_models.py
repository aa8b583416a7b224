"""Keras models with random weights, on the backend that KERAS_BACKEND named before this was imported."""

import keras
from keras import layers

from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, WIDTH


def mlp():
    return keras.Sequential([layers.Input((FEATURES,)), layers.Dense(HIDDEN, "tanh"), layers.Dense(CLASSES)])


def cnn():
    return keras.Sequential([layers.Input((IMAGE, IMAGE, CHANNELS)), layers.Conv2D(MAPS, 3, padding="same"), layers.BatchNormalization(),
                             layers.ReLU(), layers.MaxPooling2D(), layers.Flatten(), layers.Dropout(0.5), layers.Dense(CLASSES)])


class Places(layers.Layer):
    """Adds what is learnt for each place."""

    def build(self, shape):
        self.places = self.add_weight(shape=shape[1:], initializer=keras.initializers.RandomNormal(stddev=0.1), name="places")

    def call(self, x):
        return x + self.places


def transformer():
    letters = keras.Input((LENGTH,), dtype="int32")
    x = Places()(layers.Embedding(LETTERS, WIDTH, embeddings_initializer="random_normal")(letters))
    y = layers.LayerNormalization()(x)
    x = x + layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(y, y, use_causal_mask=True)
    x = x + layers.Dense(WIDTH)(layers.Dense(4 * WIDTH, "gelu")(layers.LayerNormalization()(x)))
    return keras.Model(letters, layers.Dense(LETTERS)(layers.LayerNormalization()(x)))
