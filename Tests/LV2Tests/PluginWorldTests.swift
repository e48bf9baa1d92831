import LV2
import Testing
